-- The language in which a person reads the admin, by its code ("de"); none was chosen while it is null.
alter table users add column language text;
