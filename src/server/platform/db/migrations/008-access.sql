-- Who may do what. Calls run as perennial_app, which owns nothing and cannot bypass row-level security.

-- Row-level security, for every table that has a store.
do $$
declare t text;
begin
  foreach t in array array['records', 'record_history', 'settings', 'setting_history', 'set_up_tasks', 'onboarding_stages', 'popups',
    'notice_marks', 'counters', 'products', 'variants', 'collections', 'collection_products', 'plan_products', 'plan_collections',
    'customers', 'customer_addresses', 'payment_methods', 'card_vault_sessions', 'contracts', 'contract_lines', 'contract_discounts',
    'credit_transactions', 'activity', 'contracts_put_off', 'orders', 'billing_attempts', 'gateway_charges', 'reminders', 'account_log',
    'idempotency_keys', 'outbox', 'files', 'runs', 'bulk_actions', 'bulk_action_rows', 'alerts', 'alert_logs', 'alert_types'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_store on %I using (store_id = (select current_store()))'
      ' with check (store_id = (select current_store()))', t);
    execute format('grant select, insert, update, delete on %I to perennial_app', t);
  end loop;
  -- Sign-in happens before a store is known: without a store in the transaction these three, and the list of stores, are readable as a
  -- whole, with one only its own rows.
  foreach t in array array['users', 'sessions', 'login_links'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_store on %I using ((select current_store()) is null or store_id = (select current_store()))'
      ' with check ((select current_store()) is null or store_id = (select current_store()))', t);
    execute format('grant select, insert, update, delete on %I to perennial_app', t);
  end loop;
end $$;
alter table stores enable row level security;
create policy own_store on stores using ((select current_store()) is null or id = (select current_store()))
  with check ((select current_store()) is null or id = (select current_store()));
grant select, insert, update on stores to perennial_app;
grant select, insert, delete on login_attempts to perennial_app;
grant select on upcoming_payments to perennial_app;
-- The audit trail can be added to, never rewritten.
revoke update, delete on account_log, activity, record_history, setting_history, alert_logs from perennial_app;
grant usage on all sequences in schema public to perennial_app;
grant usage on schema public to perennial_app;
revoke execute on function next_order_numbers(integer), continue_order_numbers(integer) from public;
grant execute on function next_order_numbers(integer), continue_order_numbers(integer) to perennial_app;

-- Searching reads as the owner, so that it is for calls alone; the guess below the estimates is for nobody else.
revoke execute on function
  contracts_matching(text[], text[], bigint[], bigint[], bigint[], text[], integer),
  customers_matching(text[], text[], text[], integer),
  products_matching(text[], text[], text[], integer),
  contracts_first_matching(text[], text[], bigint[], bigint[], bigint[], text[], text, boolean, integer),
  matching_estimate(text, text[], text[], text),
  contracts_estimate(text[], text[], bigint[], bigint[], bigint[], text[]),
  customers_estimate(text[], text[], text[]),
  products_estimate(text[], text[], text[])
  from public;
grant execute on function
  contracts_matching(text[], text[], bigint[], bigint[], bigint[], text[], integer),
  customers_matching(text[], text[], text[], integer),
  products_matching(text[], text[], text[], integer),
  contracts_first_matching(text[], text[], bigint[], bigint[], bigint[], text[], text, boolean, integer),
  contracts_estimate(text[], text[], bigint[], bigint[], bigint[], text[]),
  customers_estimate(text[], text[], text[]),
  products_estimate(text[], text[], text[])
  to perennial_app;
