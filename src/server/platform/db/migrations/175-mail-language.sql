-- The language that a letter is written in: its document says so to readers of the screen and to what translates it.
alter table outbox add column language text not null default 'en';
