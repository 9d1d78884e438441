// What needs attention on a record, each with what can be done about it: shown while its condition holds, worded from the record's fields.
// With `rows` a banner is about the items of a list in the record that meet `rowWhen`; "{row.name}" is the first of them.
import { holds } from '../../src/contract/validation/condition.ts';
import { FAILURE_CATEGORIES } from '../../src/domain/recovery/failure-codes.ts';
import { at, fieldOf } from '../../src/contract/paths.ts';
import type { JsonObject, When } from '../../src/contract/types.ts';
import { Icon } from '../../src/admin/ui/icons.tsx';
import { ActionButton } from '../../src/admin/form/actions/buttons.tsx';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { words } from '../../src/admin/platform/interpolate.ts';
import { useFacts } from '../../src/admin/platform/session/session.tsx';
import { translated } from '../../src/domain/text/t.ts';

export const bare = true;

type Banner = {
  when?: When;
  rows?: string;
  rowWhen?: When;
  tone?: string;
  icon?: string;
  title: string;
  text?: string;
  /** A field that holds the category of a failed payment: what it means is said in a sentence. */
  explain?: string;
  actions?: string[];
};

export default function Banners({ record, schema, options, offer, start }: PanelProps) {
  const facts = useFacts();
  const banners = (options.banners ?? []) as Banner[];
  const shown = banners.flatMap((banner): { banner: Banner; row: JsonObject | undefined }[] => {
    if (!holds(banner.when, { siblings: record, root: record, facts })) return [];
    if (!banner.rows) return [{ banner, row: undefined }];
    const list = at(record, banner.rows);
    const row = (Array.isArray(list) ? (list as JsonObject[]) : []).find(one =>
      holds(banner.rowWhen, { siblings: one, root: record, facts }),
    );
    return row ? [{ banner, row }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <div className="r-notes">
      {shown.map(({ banner, row }) => {
        const say = (text: string): string =>
          words(text, { record, schema, row, rowSchema: banner.rows ? fieldOf(schema, banner.rows)?.items : undefined });
        const category = banner.explain && FAILURE_CATEGORIES.find(one => one.key === at(record, banner.explain ?? ''));
        const offers = (banner.actions ?? []).flatMap(id => offer(id, row) ?? []);
        // The first that can be done stands out; where none can, none does.
        const first = banner.tone === 'critical' ? offers.find(one => one.refusal === undefined) : undefined;
        return (
          <section key={banner.title} className="r-note" data-tone={banner.tone ?? 'info'} aria-label={say(banner.title)}>
            <Icon name={banner.icon ?? (banner.tone === 'critical' || banner.tone === 'warning' ? 'circle-alert' : 'info')} size={18} />
            <div className="r-note-body">
              <h2>{say(banner.title)}</h2>
              {(category || banner.text) && (
                <p>{[category ? translated(category.description) : '', banner.text ? say(banner.text) : ''].filter(Boolean).join(' ')}</p>
              )}
              {offers.length > 0 && (
                <div className="r-note-actions">
                  {offers.map(one => (
                    <ActionButton
                      key={one.action.id}
                      offer={{ ...one, action: { ...one.action, primary: false } }}
                      small
                      {...(one === first ? { look: 'primary' as const } : {})}
                      onStart={() => start(one, row)}
                    />
                  ))}
                </div>
              )}
            </div>
          </section>
        );
      })}
    </div>
  );
}
