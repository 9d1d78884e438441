// The index of all settings: cards by group, found by typing.
import { useMemo, useState } from 'react';
import { Lock, Search } from 'lucide-react';
import { Link } from 'react-router';
import { accessOf } from '../../src/contract/access.ts';
import { humanise } from '../../src/contract/paths.ts';
import type { Resource } from '../../src/contract/types.ts';
import { definitions } from '../../src/admin/definitions.ts';
import { icons, Icon } from '../../src/admin/icons.tsx';
import { useSession } from '../../src/admin/session.tsx';
import { search } from '../../src/admin/form/options.ts';
import '../../src/admin/form/form.css';

interface Page { key: string; title: string; description: string; group: string; icon: string; to: string; words: string; refusal: string | undefined }

/** The order of groups that are known; others follow by name. */
const GROUPS = ['Store', 'Orders', 'Payments', 'Products', 'Notifications', 'Customers', 'Team', 'Developers'];
const placeOf = (group: string) => { const at = GROUPS.indexOf(group); return at < 0 ? GROUPS.length : at; };

export default function SettingsIndex({ resource }: { resource: Resource }) {
  const session = useSession();
  const [text, setText] = useState('');
  const pages = useMemo(() => pagesFor(session), [session]);
  const found = useMemo(() => {
    const keys = new Set(search(pages.map(page => ({ key: page.key, value: page.key, title: page.title, detail: page.words })), text).map(choice => choice.key));
    return pages.filter(page => keys.has(page.key));
  }, [pages, text]);
  const groups = [...new Set(found.map(page => page.group))].sort((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b));
  return (
    <div className="p-page p-page-narrow">
      <div className="p-page-head">
        <h1 className="p-page-title">{resource.title}</h1>
        <div className="p-page-actions">
          <div className="p-affix f-settings-search"><span className="p-affix-text"><Search aria-hidden="true" /></span><input className="p-input" type="search" aria-label="Search settings" placeholder="Search settings" value={text} onChange={event => setText(event.target.value)} /></div>
        </div>
      </div>
      <p className="p-sr" role="status">{text ? `${found.length} ${found.length === 1 ? 'page' : 'pages'} found` : ''}</p>
      {groups.map(group => (
        <section key={group} className="f-settings-group" aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{group}</h2>
          <ul className="f-settings-cards">
            {found.filter(page => page.group === group).map(page => (
              <li key={page.key}>
                <Link className="p-card f-settings-card" to={page.to}>
                  <span className="f-settings-icon"><Icon name={icons[page.icon] ? page.icon : 'settings'} size={18} /></span>
                  <span className="f-settings-text"><span className="p-strong">{page.title}{page.refusal && <Lock className="f-settings-lock" size={13} aria-label={page.refusal} />}</span><span className="p-muted">{page.description}</span></span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {!found.length && <div className="p-card p-empty"><h2>No settings match “{text}”</h2><p>Try another word, such as “retry” or “delivery”.</p><button type="button" className="p-btn" onClick={() => setText('')}>Clear search</button></div>}
    </div>
  );
}

/** Every settings file, every screen under /settings and every other one that asks for a card here, with whether the person may see it. */
function pagesFor(session: ReturnType<typeof useSession>): Page[] {
  const access = accessOf(session);
  const files = Object.values(definitions.settings).map(head => {
    const hasFeature = !head.feature || access.planHas(head.feature);
    return {
      key: head.name, title: head.title, description: head.description ?? '', group: head.group ?? 'Store', icon: head.icon ?? 'settings', to: `/settings/${head.name}`,
      words: [head.description ?? '', ...(head.keywords ?? []), head.group ?? ''].join(' '),
      refusal: hasFeature ? (access.can(head.permission, 'READ') ? undefined : "You don't have permission to see this") : `Not in your plan: ${humanise(head.feature!).toLowerCase()}`,
    };
  });
  const taken = new Set(files.map(page => page.to));
  const screens = Object.values(definitions.resources).filter(({ route, card }) => (card !== undefined || route.startsWith('settings/')) && !route.includes('[') && !taken.has(`/${route}`)).map(head => ({
    key: head.route, title: head.title, description: head.card?.description ?? '', group: head.card?.group ?? 'Store', icon: head.icon ?? 'settings', to: `/${head.route}`, words: [head.card?.description ?? '', ...(head.card?.keywords ?? []), head.card?.group ?? ''].join(' '),
    refusal: (head.permission && !access.can(head.permission, 'READ')) || (head.module && !access.module(head.module)) || (head.feature && !access.feature(head.feature)) ? "You don't have permission to see this" : undefined,
  }));
  return [...files, ...screens].sort((a, b) => a.title.localeCompare(b.title));
}
