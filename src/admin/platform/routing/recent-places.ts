// The places a person was at last, for the command palette: records by their titles, and what the
// palette itself led to. Forgotten at sign-out.
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { placeOf } from '../../../contract/find.ts';
import { definitions, screenOf } from '../definitions.ts';
import { preference, setPreference } from '../preferences.ts';
import { useTitleOfRecord } from './page-title.tsx';

export interface Recent {
  to: string;
  title: string;
  section?: string;
  icon?: string;
}
const NAME = 'recent';
/** Kept; the palette shows the first few besides where one is. */
const KEPT = 12;

export function recent(): Recent[] {
  const found = preference<Recent[]>(NAME);
  return Array.isArray(found)
    ? found.filter(one => typeof one?.to === 'string' && one.to.startsWith('/') && typeof one.title === 'string')
    : [];
}
export const remember = (place: Recent): void =>
  setPreference(NAME, [place, ...recent().filter(one => one.to !== place.to)].slice(0, KEPT));
export const forgetRecent = (): void => setPreference(NAME, undefined);

/** Remembers records that are looked at, by the titles that their pages give themselves. */
export function useRemembering(): void {
  const { pathname } = useLocation();
  const title = useTitleOfRecord();
  useEffect(() => {
    const found = screenOf(pathname);
    if (
      title === undefined ||
      !found ||
      Object.keys(found.params).length === 0 ||
      found.params.setting !== undefined ||
      !(found.resource.has.includes('record') || found.resource.has.includes('form'))
    )
      return;
    const { section } = placeOf(definitions.navigation, pathname);
    remember({ to: pathname, title, ...(section ? { section: section.title } : {}), ...(section?.icon ? { icon: section.icon } : {}) });
  }, [pathname, title]);
}
