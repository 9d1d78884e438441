-- Two people who write the same text: each write names the version that it was made from.
-- Words that were taken back keep their row, which says who did it.
alter table texts drop constraint texts_check;
-- Counts the changes of the value; 0 while there is only a proposal.
alter table texts add column version integer not null default 1;
update texts set version = 0 where value is null;
