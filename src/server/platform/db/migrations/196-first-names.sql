-- The customer's own first name beside their whole name, which nothing can take apart: "Mary Ann Lee", "Dr. Anna Weber".
alter table contracts add column customer_first_name text not null default '';
update contracts c set customer_first_name = k.first_name from customers k
where k.store_id = c.store_id and k.id = c.customer_id and k.first_name <> '';
