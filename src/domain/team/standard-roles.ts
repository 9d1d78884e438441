/** The roles that every store has, in the words that the database keeps (034-roles.sql): the admin shows them in the person's language. */
import { later } from '../text/t.ts';

export const STANDARD_ROLES: readonly { name: string; description: string }[] = [
  { name: later`Owner`, description: later`Everything. Exactly one person, who can hand the store over.` },
  { name: later`Admin`, description: later`Everything but handing the store over. Manages the other people.` },
  { name: later`Member`, description: later`Sees everything and changes nothing, unless more was given to the person.` },
];
