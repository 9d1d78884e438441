-- What a product says of itself beside its own fields: { "namespace.key": ["value", …] }, as texts that shoppers read. Which there are, the
-- documents `metafield-definition` of the table records say.
alter table products add column metafields jsonb not null default '{}';
