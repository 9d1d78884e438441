-- Each subscription keeps the order schedule that it was sold under: a changed setting reaches it only by the update that the merchant asks for.
--
-- schedule_type: whether base_at and the dates of moved orders are charge dates (BILLING) or delivery dates, charged charge_offset_days earlier (DELIVERY).
-- billing_days: weekdays (1 Monday to 7 Sunday) on which it is charged; empty means all. Of BILLING only.
-- date_fields: where its orders carry their delivery date: { "delivery": { "source", "key", "dateFormat" } | null, "pickup": the same }; null means nowhere.
alter table contracts
  add column schedule_type text not null default 'BILLING' check (schedule_type in ('BILLING', 'DELIVERY')),
  add column billing_days integer[] not null default '{}',
  add column date_fields jsonb,
  add constraint contracts_billing_days check (billing_days <@ array[1, 2, 3, 4, 5, 6, 7]),
  add constraint contracts_charge_offset check (charge_offset_days between 0 and 30);
