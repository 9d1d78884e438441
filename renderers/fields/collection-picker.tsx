// Collections, chosen in a dialog. The value is a key or a list of keys.
import { useState } from 'react';
import { LayoutGrid, X } from 'lucide-react';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { PickerDialog } from '../../src/admin/form/fields/picker-dialog.tsx';
import { useChosen } from '../../src/admin/form/fields/records.ts';
import { withArticle } from '../../src/admin/form/fields/services.ts';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { isObject } from '../../src/admin/form/engine/path.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { Picture } from '../../src/admin/ui/thumbnail.tsx';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

export default function CollectionPicker(props: WidgetProps<JsonValue>) {
  const { id, label, labelId, value, schema, options, form, nullable, change, leave, describedBy, invalid } = props;
  const of = textOption(options, 'of') ?? 'collection';
  const isMany = schema.type === 'array';
  const held: JsonValue[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  const chosen = useChosen(form.services, of, held);
  const [isOpen, setOpen] = useState(false);
  const write = (ids: JsonValue[]) => {
    change(isMany ? ids : (ids[0] ?? (nullable ? null : undefined)));
    leave();
  };
  const { one, many } = form.services.looks(of);
  return (
    <div role="group" aria-labelledby={labelId} className="f-picked" data-invalid={invalid || undefined}>
      {chosen.length > 0 && (
        <ul className="f-picked-list" aria-label={t`Chosen for ${label}`}>
          {chosen.map(choice => (
            <li key={choice.key} className="f-picked-row">
              <Picture src={choice.picture} />
              <span className="p-cut p-grow">{choice.title}</span>
              <button
                type="button"
                className="p-icon-btn p-icon-btn-s"
                aria-label={t`Remove ${choice.title}`}
                onClick={() => write(held.filter(id => id !== choice.value))}
              >
                <X aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <button
          type="button"
          id={id}
          className="p-btn p-btn-s"
          aria-describedby={describedBy}
          aria-haspopup="dialog"
          onClick={() => {
            form.store.flush();
            setOpen(true);
          }}
        >
          <LayoutGrid aria-hidden="true" />
          {textOption(options, 'button') ??
            (held.length ? t`Change selection` : isMany ? t`Choose ${many}` : t`Choose ${withArticle(one)}`)}
        </button>
      </div>
      {isOpen && (
        <PickerDialog
          title={label}
          of={of}
          services={form.services}
          picked={{ whole: held, parts: [] }}
          multiple={isMany}
          aside={record =>
            typeof record.productsCount !== 'number' ? '' : record.productsCount === 1 ? t`1 product` : t`${record.productsCount} products`
          }
          {...(isObject(options.filter) ? { filter: options.filter } : {})}
          onClose={() => setOpen(false)}
          onDone={({ whole }) => {
            setOpen(false);
            write(whole);
          }}
        />
      )}
    </div>
  );
}

export { Show } from './reference.tsx';
