-- Roles: what its members may see and change. Every store has the three of the product (owner, admin, member), which nobody edits; the
-- others are made by its people. `users.role_id` names one of the latter; who has none has the role of `users.type`. Signing in happens before
-- a store is known, when no role can be read: what a role gives stands beside its people too.
alter table users add column invited_at timestamptz, add column role_permissions jsonb;

create function add_system_roles(of_store integer) returns void language sql security definer set search_path = public as $$
  insert into records (store_id, entity, position, data) select of_store, 'role', position, jsonb_build_object('name', name,
    'description', description, 'isSystem', true, 'systemType', type, 'isAssignable', type <> 'OWNER', 'isDefault', type = 'MEMBER', 'permissions', '[]'::jsonb)
  from (values
    (1, 'OWNER', 'Owner', 'Everything. Exactly one person, who can hand the store over.'),
    (2, 'ADMIN', 'Admin', 'Everything but handing the store over. Manages the other people.'),
    (3, 'MEMBER', 'Member', 'Sees everything and changes nothing, unless more was given to the person.')
  ) as given (position, type, name, description)
$$;
create function add_system_roles_of_new_store() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform add_system_roles(new.id);
  return null;
end $$;
revoke execute on function add_system_roles(integer), add_system_roles_of_new_store() from public;
create trigger system_roles after insert on stores for each row execute function add_system_roles_of_new_store();
select add_system_roles(id) from stores;
