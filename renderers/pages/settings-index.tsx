// The index of all settings: cards by group, found by typing.
import { useMemo, useState } from 'react';
import { Lock, Search } from 'lucide-react';
import { Link } from 'react-router-dom';
import { type SettingsPage, settingsPages } from '../../src/navigation/navigation.ts';
import type { Resource } from '../../src/contract/types.ts';
import { definitions } from '../../src/admin/platform/definitions.ts';
import { icons, Icon } from '../../src/admin/ui/icons.tsx';
import { useFacts, useSession } from '../../src/admin/platform/session/session.tsx';
import { search } from '../../src/admin/form/fields/options.ts';
import '../../src/admin/form/form.css';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

/**
 * The order of groups that are known, in the words in which the definitions come to the browser; others follow by name, what has no page
 * yet comes last.
 */
const GROUPS = [t`Store`, t`Orders`, t`Payments`, t`Products`, t`Notifications`, t`Customers`, t`Account`, t`Developers`];
const LATER = t`Coming soon`;
const placeOf = (group: string) => {
  const at = GROUPS.indexOf(group);
  return group === LATER ? GROUPS.length + 1 : at < 0 ? GROUPS.length : at;
};
const groupOf = (page: SettingsPage) => (page.isPlanned ? LATER : (page.group ?? t`Store`));

export default function SettingsIndex({ resource }: { resource: Resource }) {
  const session = useSession();
  const [text, setText] = useState('');
  const facts = useFacts();
  const pages = useMemo(
    () => settingsPages(definitions, { session, facts }).sort((a, b) => Number(a.isPlanned) - Number(b.isPlanned)),
    [session, facts],
  );
  const found = useMemo(() => {
    const keys = new Set(
      search(
        pages.map(page => ({
          key: page.id,
          value: page.id,
          title: page.title,
          detail: [page.description, ...page.keywords, groupOf(page)].join(' '),
        })),
        text,
      ).map(choice => choice.key),
    );
    return pages.filter(page => keys.has(page.id));
  }, [pages, text]);
  const groups = [...new Set(found.map(groupOf))].sort((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b));
  return (
    <div className="p-page p-page-narrow">
      <div className="p-page-head">
        <h1 className="p-page-title">{resource.title}</h1>
        <div className="p-page-actions">
          <div className="p-affix f-settings-search">
            <span className="p-affix-text">
              <Search aria-hidden="true" />
            </span>
            <input
              className="p-input"
              type="search"
              aria-label={t`Search settings`}
              placeholder={t`Search settings`}
              value={text}
              onChange={event => setText(event.target.value)}
            />
          </div>
        </div>
      </div>
      <p className="p-sr" role="status">
        {text ? (found.length === 1 ? t`1 page found` : t`${found.length} pages found`) : ''}
      </p>
      {groups.map(group => (
        <section key={group} className="f-settings-group" aria-labelledby={`group-${group.replaceAll(' ', '-')}`}>
          <h2 id={`group-${group.replaceAll(' ', '-')}`}>{group}</h2>
          <ul className="f-settings-cards" data-soon={group === LATER || undefined}>
            {found
              .filter(page => groupOf(page) === group)
              .map(page => (
                <li key={page.id}>
                  <Link className={page.isPlanned ? 'f-settings-soon' : 'p-card f-settings-card'} to={page.to}>
                    {!page.isPlanned && (
                      <span className="f-settings-icon">
                        <Icon name={page.icon && icons[page.icon] ? page.icon : 'settings'} size={18} />
                      </span>
                    )}
                    <span className="f-settings-text">
                      <span className="p-strong">
                        {page.title}
                        {!page.verdict.ok && <Lock className="f-settings-lock" size={13} aria-label={page.verdict.message} />}
                      </span>
                      {!page.isPlanned && <span className="p-muted">{page.description}</span>}
                    </span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
      {!found.length && (
        <div className="p-card p-empty">
          <Search aria-hidden="true" />
          <h2>{tx`No settings match “${text}”`}</h2>
          <p>{t`Try another word, such as “retry” or “delivery”.`}</p>
          <button type="button" className="p-btn" onClick={() => setText('')}>
            {t`Clear search`}
          </button>
        </div>
      )}
    </div>
  );
}
