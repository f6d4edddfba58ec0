WITH waiting AS (
  UPDATE leasehold.scheduled SET available_at = available_at - ? * interval '1 ms'
  WHERE id = ? RETURNING id),
running AS (
  UPDATE leasehold.lease SET locked_until = locked_until - ? * interval '1 ms',
    attempt_started_at = attempt_started_at - ? * interval '1 ms',
    started_at = started_at - ? * interval '1 ms'
  WHERE id = ? RETURNING id),
over AS (
  UPDATE leasehold.outcome SET finished_at = finished_at - ? * interval '1 ms',
    started_at = started_at - ? * interval '1 ms'
  WHERE id = ? RETURNING id)
SELECT id FROM waiting UNION ALL SELECT id FROM running UNION ALL SELECT id FROM over
