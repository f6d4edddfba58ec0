package io.leasehold.db.refuse;

import java.util.HashMap;
import java.util.Map;
import org.jooq.impl.SchemaImpl;
import org.jooq.impl.TableImpl;

/**
 * The parts that a tenant's statement may consist of: jOOQ's classes of query parts by name,
 * grouped by the checks that they need before they are written. A class that is not listed is
 * refused, so a new jOOQ version's parts are refused until a developer has read what they write.
 *
 * <p>The names belong to jOOQ's package {@code org.jooq.impl}, and most of the classes are not
 * public. They are looked up by name, because loading all of them takes more than half a second,
 * which would delay the first statement of a process. A test checks that each exists.
 */
public enum PartKind {

  /** Writes constant words, and parts that are visited in turn. */
  PLAIN(
      // Queries, and the parts around their clauses.
      """
      SelectImpl InsertImpl InsertAsResultQuery UpdateImpl UpdateAsResultQuery DeleteImpl
      DeleteAsResultQuery FetchCount WithImpl CommonTableExpressionList TopLevelCte
      Limit ForLock WrappedList FieldMapForUpdate FieldMapsForInsert FieldsImpl
      SortFieldImpl WindowDefinitionImpl WindowSpecificationImpl
      ConstraintImpl UniqueKeyImpl ScopeMarker$Marker AsteriskImpl QualifiedAsteriskImpl
      QualifiedAsteriskProxy
      """
          // Tables that consist of other parts, and have no columns of their own.
          + """
          Dual Lateral NoTable NoTableJoin NoAutoAlias ArrayOfValues$StandardUnnest
          ArrayTable$StandardUnnest
          """
          // Rows.
          + """
          RowImpl1 RowImpl2 RowImpl3 RowImpl4 RowImpl5 RowImpl6 RowImpl7 RowImpl8 RowImpl9 RowImpl10
          RowImpl11 RowImpl12 RowImpl13 RowImpl14 RowImpl15 RowImpl16 RowImpl17 RowImpl18 RowImpl19
          RowImpl20 RowImpl21 RowImpl22 RowImplN RowAsField TableAsField RowBetweenCondition
          RowCondition RowEq RowGe RowGt RowInCondition RowIsDistinctFrom RowIsNotNull RowIsNull
          RowLe RowLt RowNe RowOverlaps RowSubqueryCondition RowSubqueryCondition$Native TableEq
          TableNe
          """
          // Conditions.
          + """
          And BetweenCondition BinaryLike BinaryLikeQuantified ConditionAsField
          ConditionProviderImpl Contains ContainsIgnoreCase EndsWith EndsWithIgnoreCase Eq
          EqQuantified Exists FalseCondition FieldCondition Ge GeQuantified Gt GtQuantified In
          InList IsDistinctFrom IsJson IsNotDistinctFrom IsNotJson IsNotNull IsNull Le LeQuantified
          Like LikeIgnoreCase LikeQuantified Lt LtQuantified MapCondition Ne NeQuantified
          NoCondition Not NotBinaryLike NotBinaryLikeQuantified NotField NotIn NotInList NotLike
          NotLikeIgnoreCase NotLikeQuantified NotRegexpLike NotSimilarTo NotSimilarToQuantified
          NullCondition Or QuantifiedArray QuantifiedSelectImpl RecordCondition RegexpLike
          SelectIsNotNull SelectIsNull SimilarTo SimilarToQuantified StartsWith
          StartsWithIgnoreCase TrueCondition Unique Xor SQLCondition
          """
          // Expressions.
          + """
          AbstractStoreQuery$UnknownField Array ArrayQuery CaseSearched CaseSimple Cast
          Cast$CastNative Choose Coalesce Coerce CollationImpl Collated Decode Default Excluded
          Expression Expression$DateExpression IAdd IDiv IMul ISub Add Sub Mul Div Mod Neg Iif
          Multiset NoField Nullif Nvl Nvl2 ParenthesisedField ProjectSingleScalarSubquery
          ScalarSubquery SequenceImpl$SequenceFunction SQLField SQLFieldSimple
          AbstractRoutine$RoutineField
          """
          // Numeric functions.
          + """
          Abs Acos Acosh Acot Acoth Asin Asinh Atan Atan2 Atanh BitAnd BitCount BitGet BitNand
          BitNor BitNot BitOr BitSet BitXNor BitXor Cbrt Ceil Cos Cosh Cot Coth Degrees Euler Exp
          Floor Greatest Least Ln Log Log10 Pi Power Radians Rand Root Round Shl Shr Sign Sin Sinh
          Sqrt Square Tan Tanh Tau Trunc WidthBucket
          """
          // Functions on text and bytes.
          + """
          Ascii BinaryBitLength BinaryConcat BinaryLength BinaryLtrim BinaryMd5 BinaryOctetLength
          BinaryOverlay BinaryPosition BinaryRtrim BinarySubstring BinaryTrim BitLength CharLength
          Chr Concat ConcatWs Digits FieldFunction Left Lower Lpad Ltrim Md5 OctetLength Overlay
          Position RegexpReplace Repeat Replace Reverse Right Rpad Rtrim Space SplitPart
          StringToArray Substring SubstringIndex ToChar ToDate ToHex ToTimestamp Translate Trim
          Upper Uuid
          """
          // Functions on time, and on the session.
          + """
          CurrentCatalog CurrentDate CurrentSchema CurrentTime CurrentTimestamp CurrentUser DateAdd
          DateDiff DateOrTime Extract TimestampDiff TruncDate
          """
          // Functions on arrays and JSON.
          + """
          ArrayAllMatch ArrayAnyMatch ArrayAppend ArrayConcat ArrayContains ArrayFilter ArrayGet
          ArrayGet$Standard ArrayMap ArrayNoneMatch ArrayOverlap ArrayPrepend ArrayRemove
          ArrayReplace ArrayReverse ArrayToString Cardinality JSONArray JSONArrayLength
          JSONArrayQuery JSONBArrayLength JSONBGetAttribute JSONBGetAttributeAsText JSONBGetElement
          JSONBGetElementAsText JSONBInsert JSONBKeyExists JSONBKeys JSONBRemove JSONBReplace
          JSONBSet JSONConcat JSONEntryImpl JSONExists JSONFromText JSONGetAttribute
          JSONGetAttributeAsText JSONGetElement JSONGetElementAsText JSONInsert JSONKeyExists
          JSONKeys JSONNull JSONObject JSONQuery JSONRemove JSONReplace JSONSet JSONValue
          NoJSONEntry
          """
          // Aggregates and window functions.
          + """
          AnyValue ArrayAgg Avg BinaryListAgg BitAndAgg BitNandAgg BitNorAgg BitOrAgg BitXNorAgg
          BitXorAgg BoolAnd BoolOr Corr Count CountLarge CountLargeMultiple CountMultiple CovarPop
          CovarSamp Cube CumeDist CumeDistAgg DenseRank DenseRankAgg EmptyGroupingSet FirstValue
          GroupingSets JSONArrayAgg JSONObjectAgg Lag LastValue Lead ListAgg Max Median Min Mode
          ModeOrdered MultisetAgg NthValue Ntile PercentRank PercentRankAgg PercentileCont
          PercentileDisc Product Rank RankAgg RatioToReport RegrAvgX RegrAvgY RegrCount
          RegrIntercept RegrR2 RegrSlope RegrSxx RegrSxy RegrSyy Rollup RowNumber StddevPop
          StddevSamp Sum VarPop VarSamp
          """),

  /** Writes two tables and their join. */
  JOIN(
      """
      CrossApply CrossJoin FullJoin Join LeftAntiJoin LeftJoin LeftSemiJoin NaturalFullJoin
      NaturalJoin NaturalLeftJoin NaturalRightJoin OuterApply RightJoin
      """),

  /** Writes a select, and any text that it contains. */
  SELECT("SelectQueryImpl"),

  /** Writes an insert. */
  INSERT("InsertQueryImpl"),

  /** Writes an update. */
  UPDATE("UpdateQueryImpl"),

  /** Writes a delete. */
  DELETE("DeleteQueryImpl"),

  /** Writes a function by its given name. */
  CALL("Function Function1 DefaultAggregateFunction"),

  /** Writes a column by its given name. */
  REFERENCE("TableFieldImpl FieldProxy"),

  /** Names a column that the statement defines. */
  FIELD_ALIAS("FieldAlias"),

  /** Writes a value, or its placeholder. */
  VALUE("Val ConvertedVal LazyVal"),

  /** Writes a name. */
  NAME("LazyName QualifiedName UnqualifiedName"),

  /** Writes a word verbatim. */
  KEYWORD("KeywordImpl"),

  /** Writes text verbatim. */
  TEXT("SQLImpl"),

  /** Writes parts of an unknown kind. */
  LIST(
      """
      GroupFieldList QualifiedSelectFieldList QueryPartCollectionView QueryPartCollectionView$1
      QueryPartList QueryPartListView SelectFieldList SortFieldList TableList WindowList
      """),

  /** A part written by a lambda expression. */
  LAMBDA("CustomCondition$1 CustomField$1 CustomQueryPart$1"),

  /** A table by its name, including generated tables. */
  TABLE("TableImpl"),

  /** A table under another name. */
  TABLE_ALIAS("TableAlias"),

  /** Writes the alias of the surrounding part, and its columns. */
  ALIAS("Alias DerivedColumnListImpl"),

  /** A table that the statement defines, with columns of its own. */
  DERIVED(
      """
      AliasedSelect CommonTableExpressionImpl DerivedTable InlineDerivedTable Values
      WithOrdinalityTable
      """),

  /** The rows of one of PostgreSQL's functions. */
  FUNCTION_ROWS("ArrayOfValues ArrayTable GenerateSeries"),

  /** The rows of any function. */
  FUNCTION_TABLE("FunctionTable"),

  /** A schema by its name, including generated schemas. */
  SCHEMA("SchemaImpl"),

  /** A sequence by its name. */
  SEQUENCE("SequenceImpl"),

  /** All other parts. */
  UNKNOWN("");

  private static final Map<String, PartKind> LISTED = Map.copyOf(listed());

  // Generated classes extend these classes, whose rendering is final.
  private static final ClassValue<PartKind> KINDS =
      new ClassValue<>() {
        @Override
        protected PartKind computeValue(Class<?> type) {
          if (TableImpl.class.isAssignableFrom(type)) {
            return TABLE;
          }
          return SchemaImpl.class.isAssignableFrom(type)
              ? SCHEMA
              : OpaqueParts.isJooqsClass(type)
                  ? LISTED.getOrDefault(type.getName(), UNKNOWN)
                  : UNKNOWN;
        }
      };

  private final String classes;

  PartKind(String classes) {
    this.classes = classes;
  }

  /** Returns the kind of a part. */
  public static PartKind of(Object part) {
    return KINDS.get(part.getClass());
  }

  /** Returns the listed class names with their kinds. */
  static Map<String, PartKind> listed() {
    var listed = new HashMap<String, PartKind>();
    for (var kind : values()) {
      for (var name : kind.classes.split("\\s+", -1)) {
        if (!name.isEmpty()) {
          listed.put("org.jooq.impl." + name, kind);
        }
      }
    }
    return listed;
  }
}
