-- The proof of a domain stands in its records.
alter table email_domains drop column token;
