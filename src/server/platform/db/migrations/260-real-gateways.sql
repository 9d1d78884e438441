-- Charges through the store's own account at a payment provider.

-- The gateway that was called for a charge: later look-ups go to the same, whatever the store has chosen since.
alter table billing_attempts add column gateway text not null default 'TEST' check (gateway in ('TEST', 'STRIPE'));
-- When a charge that the provider is still processing (bank debits take days) is looked up next. Null: at once, when its process is lost.
alter table billing_attempts add column look_up_at timestamptz;

-- Whether methods that were moved from this account are charged through it.
alter table payment_providers add column charges boolean not null default false;
-- The same for the engine, which has the store's row in its hands: the providers with `charges`. Written with them.
alter table stores add column charges_through text[] not null default '{}';
