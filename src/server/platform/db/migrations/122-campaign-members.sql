-- The subscriptions that a campaign is for, fixed when it is launched: each has a link of its own.
create table campaign_members (
  store_id integer not null references stores on delete cascade,
  campaign_id bigint not null,
  contract_id bigint not null,
  primary key (store_id, campaign_id, contract_id),
  foreign key (store_id, contract_id) references contracts (store_id, id) on delete cascade
);
create index campaign_members_contract on campaign_members (store_id, contract_id);
alter table campaign_members enable row level security;
create policy own_store on campaign_members using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on campaign_members to perennial_app;
