package io.leasehold.db;

import com.google.inject.Key;
import com.google.inject.PrivateModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.TypeLiteral;
import java.util.Set;

/**
 * Binds the database, and exposes {@link Transactions}, {@link Notifications}, and {@link
 * SecureDatabase} for starting and closing it.
 *
 * <p>Needs the tables that modules declare with {@link TenantTableBinder}.
 */
public final class SecureDbModule extends PrivateModule {

  private static final Key<Set<TableDeclaration>> DECLARATIONS = Key.get(new TypeLiteral<>() {});

  private final DbConfig config;

  public SecureDbModule(DbConfig config) {
    this.config = config;
  }

  @Override
  protected void configure() {
    binder().requireExplicitBindings();
    binder().requireAtInjectOnConstructors();
    requireBinding(DECLARATIONS);

    bind(DbConfig.class).toInstance(config);
    bind(SecureDatabase.class).in(Singleton.class);
    bind(Transactions.class).to(SecureDatabase.class);

    expose(SecureDatabase.class);
    expose(Transactions.class);
    expose(Notifications.class);
  }

  @Provides
  Notifications notifications(SecureDatabase database) {
    return database.notifications();
  }
}
