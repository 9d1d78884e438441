-- What e-mails carry besides their words: pictures that stand in them, and files. It goes some days after they left.
create table mail_attachments (
  store_id integer not null references stores on delete cascade,
  outbox_id bigint not null,
  no smallint not null,
  name text not null,
  content_type text not null,
  -- Of a picture: what the letter calls it ("cid:chart"). Null: a file beside the letter.
  cid text,
  content bytea not null,
  created_at timestamptz not null default now(),
  primary key (store_id, outbox_id, no),
  foreign key (store_id, outbox_id) references outbox on delete cascade
);
create index mail_attachments_age on mail_attachments (created_at);
alter table mail_attachments enable row level security;
create policy own_store on mail_attachments using (store_id = (select current_store())) with check (store_id = (select current_store()));
grant select, insert, update, delete on mail_attachments to perennial_app;
