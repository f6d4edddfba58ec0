-- What each customer has ordered, and the countries, which are the same for all.

CREATE VIEW acme.customer_total WITH (security_invoker = true) AS
SELECT customer.tenant_id, customer.id, sum("order".total) AS total
FROM acme.customer JOIN acme."order"
  ON "order".tenant_id = customer.tenant_id AND customer_id = customer.id
GROUP BY customer.tenant_id, customer.id;

CREATE TABLE acme.country (code text PRIMARY KEY);

SELECT leasehold.share('acme.country');

GRANT SELECT ON acme.customer_total, acme.country TO leasehold_tenant;
