-- Sending mail from several processes: a message is claimed before it is sent, and tried a few times.
alter table outbox add column claimed_at timestamptz;
alter table outbox add column attempts integer not null default 0;
