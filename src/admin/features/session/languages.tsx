// The languages of the admin, to choose from before signing in.
import { type ReactElement } from 'react';
import { language, t } from '../../../domain/text/t.ts';
import { chooseLanguage, languages } from '../../platform/language.ts';

/** Each language in its own words; the page comes again in the one that is chosen. */
export function Languages(): ReactElement | null {
  const all = languages();
  if (all.length === 0) return null;
  return (
    <div className="p-bare-languages" role="group" aria-label={t`Language`}>
      {all.map(({ code, name }) => (
        <button
          key={code}
          type="button"
          lang={code}
          className="p-btn p-btn-s p-btn-plain"
          aria-pressed={code === language()}
          onClick={() => void chooseLanguage(code)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
