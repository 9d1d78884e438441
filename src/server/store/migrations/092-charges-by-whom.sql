-- Who set off a charge by hand: the e-mail address of a person of the store, the name of a token. Empty for what the schedule, a retry or the customer did.
alter table billing_attempts add column started_by text;
