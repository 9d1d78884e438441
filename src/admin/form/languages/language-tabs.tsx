// The languages of a record, each with what is missing in it; the first one is the primary one.
import { useSearchParams } from 'react-router-dom';
import type { RecordLanguages } from './record-languages.ts';
import { t } from '../../../domain/text/t.ts';

export function LanguageTabs({ isComing, all, chosen }: RecordLanguages) {
  const [search, setSearch] = useSearchParams();
  if (isComing) return <div className="p-tabs f-languages" aria-hidden="true" />;
  if (all.length === 0) return null;
  const choose = (locale: string | undefined): void => {
    const next = new URLSearchParams(search);
    if (locale === undefined) next.delete('language');
    else next.set('language', locale);
    setSearch(next, { replace: true });
  };
  return (
    <nav className="p-tabs f-languages" aria-label={t`Languages`}>
      {all.map(({ locale, name, isPrimary, isPublished, missing, total }) => {
        const isChosen = isPrimary ? chosen === undefined : chosen?.locale === locale;
        const state = isPrimary
          ? ''
          : missing === total
            ? t`Missing`
            : missing > 0
              ? t`${missing} missing`
              : isPublished
                ? ''
                : t`Not published`;
        return (
          <button
            key={locale}
            type="button"
            className="p-tab"
            aria-current={isChosen ? 'true' : undefined}
            onClick={() => choose(isPrimary ? undefined : locale)}
          >
            {name}
            {isPrimary && <span className="p-hint">{t`Primary`}</span>}
            {state && (
              <span className="p-badge p-badge-plain" data-tone={missing > 0 ? 'attention' : 'neutral'}>
                {state}
              </span>
            )}
          </button>
        );
      })}
    </nav>
  );
}
