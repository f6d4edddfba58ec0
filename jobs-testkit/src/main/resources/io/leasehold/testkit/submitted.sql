SELECT job.id, job.tenant_id, job.input, job.metadata, job.priority,
  (SELECT job_key.key FROM leasehold.job_key
   WHERE job_key.tenant_id = job.tenant_id AND job_key.id = job.id) AS key,
  coalesce(extract(epoch FROM greatest(
    (SELECT scheduled.available_at - now() FROM leasehold.scheduled
     WHERE scheduled.tenant_id = job.tenant_id AND scheduled.id = job.id), interval '0')), 0)
    AS due_in
FROM leasehold.job
WHERE job.handler_id = ?
ORDER BY job.id
