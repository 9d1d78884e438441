-- Letters with a link that ends are not sent once it has ended. Real time, as that of the link.
alter table outbox add column send_before timestamptz;
