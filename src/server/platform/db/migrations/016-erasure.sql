-- Customers who were erased, and the end of what e-mails said.
alter table customers add column erased_at timestamptz;
-- E-mails lose their words when they are a year old.
create index outbox_age on outbox using brin (created_at);

-- A text without the words of a person: pairs of a pattern and what stands in its place.
create function erased_words(given text, words jsonb) returns text language plpgsql immutable parallel safe as $$
declare
  pair jsonb;
begin
  for pair in select jsonb_array_elements(words) loop
    given := regexp_replace(given, pair ->> 0, pair ->> 1, 'gi');
  end loop;
  return given;
end $$;

-- The audit trail can be added to, never rewritten, but for this: who was erased goes from it. `personal`: by key of an event the members of
-- its payload that go; `words` stand for the person anywhere, `own` only where it is known to be about them.
create function erase_from_trail(erased bigint, personal jsonb, words jsonb, own jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  store integer := current_store();
  found text := (select string_agg(pair ->> 0, '|') from jsonb_array_elements(words) pair);
  subscriptions bigint[];
  methods bigint[];
begin
  if not exists (select from customers where store_id = store and id = erased and erased_at is not null) then
    raise exception 'Only customers who are erased go from the trail.';
  end if;
  subscriptions := array(select id from contracts where store_id = store and customer_id = erased);
  methods := array(select id from payment_methods where store_id = store and customer_id = erased);
  update events set data = data - array(select jsonb_array_elements_text(personal -> key))
    where store_id = store and contract_id = any(subscriptions) and personal ? key
      and data ?| array(select jsonb_array_elements_text(personal -> key));
  update account_log set before = null, after = null, description = erased_words(description, own)
    where store_id = store and ((entity = 'customer' and entity_id = erased::text)
      or (entity = 'subscription' and entity_id = any(subscriptions::text[]))
      or (entity = 'payment-method' and entity_id = any(methods::text[])));
  update account_log set description = erased_words(description, words), before = erased_words(before::text, words)::jsonb,
      after = erased_words(after::text, words)::jsonb
    where store_id = store and (description ~* found or before::text ~* found or after::text ~* found);
  update record_history set data = erased_words(data::text, words)::jsonb where store_id = store and data::text ~* found;
  update alert_logs set note = erased_words(note, words) where store_id = store and note ~* found;
end $$;
revoke execute on function erase_from_trail(bigint, jsonb, jsonb, jsonb) from public;
grant execute on function erase_from_trail(bigint, jsonb, jsonb, jsonb) to perennial_app;
