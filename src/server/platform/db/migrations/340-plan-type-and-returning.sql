-- What figures are narrowed by: whether a subscription is paid ahead, as the ledger saw it, and whether its customer had one before.
alter table contracts add column is_returning boolean not null default false;
update contracts c set is_returning = true where exists (select from contracts p where p.store_id = c.store_id and p.customer_id = c.customer_id
  and (p.created_at, p.id) < (c.created_at, c.id));
create function note_returning_customer() returns trigger language plpgsql as $$
begin
  -- The first that is found is enough: a customer may have very many.
  new.is_returning := exists (select from contracts p where p.store_id = new.store_id and p.customer_id = new.customer_id);
  return new;
end $$;
create trigger contracts_returning before insert on contracts for each row execute function note_returning_customer();

alter table movements add column is_prepaid boolean;
-- Rows that are filled in from the log know no more than how the subscription is now.
create function note_plan_type() returns trigger language plpgsql as $$
begin
  select c.is_prepaid into new.is_prepaid from contracts c where c.store_id = new.store_id and c.id = new.contract_id;
  new.is_prepaid := coalesce(new.is_prepaid, false);
  return new;
end $$;
create trigger movements_plan_type before insert on movements for each row when (new.is_prepaid is null) execute function note_plan_type();
alter table movements disable trigger movements_stay;
update movements m set is_prepaid = coalesce((select c.is_prepaid from contracts c where c.store_id = m.store_id and c.id = m.contract_id), false);
alter table movements enable trigger movements_stay;
alter table movements alter column is_prepaid set not null;
