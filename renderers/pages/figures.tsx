// A list with figures above it, and perhaps a link to copy; which ones is said by the screen's file.
import type { ReactElement } from 'react';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { Tile } from '../../src/admin/dashboard/tile.tsx';
import { FiguresFailed } from '../../src/admin/dashboard/failed.tsx';
import { ListPage } from '../../src/admin/list/list-page.tsx';
import { count, money, percent } from '../../src/admin/platform/format.ts';
import { words } from '../../src/admin/platform/interpolate.ts';
import type { PageProps } from '../../src/admin/platform/routing/page-code.ts';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import { notify } from '../../src/admin/ui/notices/notices.tsx';
import '../../src/admin/dashboard/dashboard.css';
import { t } from '../../src/domain/text/t.ts';

type Options = {
  call: string;
  /** The figures come with those of the period before. */
  compared?: boolean;
  copy?: { title: string; field: string; help?: string };
  tiles: { title: string; about: string; field: string; currency?: string; currencyField?: string; isPercent?: boolean }[];
};

export default function FiguresPage(props: PageProps): ReactElement {
  return <ListPage {...props} above={<Figures options={props.resource.options as Options} title={props.resource.title ?? ''} />} />;
}

function Figures({
  options: { call, compared: areCompared = false, copy, tiles },
  title,
}: {
  options: Options;
  title: string;
}): ReactElement {
  const { data, error, refetch } = useAsk<JsonObject>(call, {}, { staleTime: 15_000 });
  if (error && !data)
    return (
      <div className="p-card b-above">
        <FiguresFailed what={title} error={error} retry={() => void refetch()} />
      </div>
    );
  return (
    <div className="p-card p-divided b-above">
      {copy && (
        <section className="p-card-body p-stack-s" aria-label={copy.title}>
          <h2>{copy.title}</h2>
          {data ? (
            <Copied title={copy.title} text={new URL(String(data[copy.field]), location.origin).href} />
          ) : (
            <span className="p-skeleton b-copy-wait" role="status" aria-label={t`Loading`} />
          )}
          {copy.help && <p className="p-muted">{data ? words(copy.help, { record: data }) : copy.help.replace(/\{\w+\}/g, '…')}</p>}
        </section>
      )}
      <dl className="b-tiles" aria-busy={data === undefined}>
        {tiles.map(({ title: name, about, field, currency, currencyField, isPercent = false }) => {
          const figure = data?.[field];
          const compared = isCompared(figure) ? figure : undefined;
          const code = currency ?? (currencyField === undefined ? undefined : String(data?.[currencyField] ?? ''));
          const value = data && figureText(compared ? compared.value : figure, code, isPercent);
          return (
            <Tile
              key={field}
              title={name}
              about={about}
              value={value}
              {...(data || !areCompared ? { note: '' } : {})}
              {...(compared ? { change: compared.changePercent } : {})}
            />
          );
        })}
      </dl>
    </div>
  );
}

/** An address and the button that copies it; it can be marked and copied by hand too. */
function Copied({ title, text }: { title: string; text: string }): ReactElement {
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => notify(t`Copied.`),
      () => notify(t`The browser did not allow copying. Mark the address and copy it by hand.`, { tone: 'critical' }),
    );
  };
  return (
    <div className="p-row b-copy">
      <input className="p-input p-grow" readOnly value={text} aria-label={title} onFocus={event => event.target.select()} />
      <button type="button" className="p-btn" onClick={copy}>
        {t`Copy`}
      </button>
    </div>
  );
}

/** A figure beside that of the period before. */
interface Compared {
  value: JsonValue;
  changePercent: number | null;
}
const isCompared = (figure: unknown): figure is Compared => typeof figure === 'object' && figure !== null && 'changePercent' in figure;

function figureText(value: unknown, currency: string | undefined, isPercent: boolean): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  if (currency) return money(String(value), currency);
  return isPercent ? percent(Number(value)) : count(Number(value));
}
