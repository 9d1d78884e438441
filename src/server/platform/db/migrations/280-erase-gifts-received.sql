-- Who is erased also goes from the trail of the gifts that they got from others. Their e-mail address there is replaced before.
create function subscriptions_of_erased(store integer, erased bigint) returns setof bigint
language sql stable set search_path = public, pg_temp as $$
  select id from contracts where store_id = store and customer_id = erased
  union
  select g.id from gifts g join customers c on c.store_id = g.store_id and c.id = erased
    where g.store_id = store and c.erased_at is not null and g.recipient_email = c.email
$$;
create or replace function erase_rows_from_trail(erased bigint, trail text, keys jsonb, personal jsonb, words jsonb, own jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  store integer := current_store();
  ids bigint[];
  theirs bigint[];
begin
  if not exists (select from customers where store_id = store and id = erased and erased_at is not null) then
    raise exception 'Only customers who are erased go from the trail.';
  end if;
  ids := array(select (key ->> 'id')::bigint from jsonb_array_elements(keys) key);
  theirs := array(select subscriptions_of_erased(store, erased));
  case trail
    when 'events' then
      update events e set data = data - array(select jsonb_array_elements_text(personal -> e.key))
        where store_id = store and id = any(ids) and contract_id = any(theirs);
    when 'account_log' then
      update account_log l set
          description = erased_words(description, case when about then own else words end),
          before = case when about then null else erased_words(before::text, words)::jsonb end,
          after = case when about then null else erased_words(after::text, words)::jsonb end
        from (select id as entry, (entity = 'customer' and entity_id = erased::text)
            or (entity in ('subscription', 'gift-subscription') and entity_id = any(theirs::text[]))
            or (entity = 'payment-method' and entity_id in (select id::text from payment_methods where store_id = store
              and customer_id = erased)) as about
          from account_log where store_id = store and id = any(ids)) named
        where l.store_id = store and l.id = named.entry;
    when 'record_history' then
      update record_history h set data = erased_words(data::text, words)::jsonb
        from jsonb_to_recordset(keys) as named (entity text, id bigint, version integer)
        where h.store_id = store and h.entity = named.entity and h.id = named.id and h.version = named.version;
    when 'alert_logs' then
      update alert_logs set note = erased_words(note, words) where store_id = store and id = any(ids);
    else raise exception 'Nothing is erased from %.', trail;
  end case;
end $$;
