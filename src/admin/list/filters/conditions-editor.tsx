// A list narrowed by conditions (schemas/conditions): the same rows as in forms, applied together.
import { type ReactElement, useMemo, useState } from 'react';
import { conditionErrors } from '../../../contract/conditions.ts';
import type { JsonObject, Schema } from '../../../contract/types.ts';
import type { Validator } from '../../../contract/validation/validate.ts';
import { SchemaForm } from '../../form/engine/schema-form.tsx';
import { useFormServices } from '../../form/fields/use-services.ts';
import { useSession } from '../../platform/session/session.tsx';
import type { EditorProps } from './text-editors.tsx';
import { t } from '../../../domain/text/t.ts';

// The rows are judged by `validate` itself; there is nothing else in this form.
const anything: Validator = () => true;

export default function ConditionsEditor({ filter, value, onChange, onClose }: EditorProps): ReactElement {
  const services = useFormServices();
  const { store } = useSession();
  const { readOnly: _readOnly, ...field } = filter.schema;
  const [schema] = useState<Schema>(() => ({ type: 'object', properties: { conditions: field } }));
  const given = useMemo<JsonObject>(
    () => ({ conditions: value ? (JSON.parse(value) as JsonObject) : { match: 'ALL', rows: [] } }),
    [value],
  );
  const [now, setNow] = useState(given);
  const rows = (now.conditions as { rows?: unknown[] } | undefined)?.rows ?? [];
  const isSound = conditionErrors(schema, now).length === 0;
  return (
    <div className="l-pop-conditions">
      <SchemaForm
        schema={schema}
        validator={anything}
        value={given}
        services={services}
        currency={store.currency_code}
        plain
        label={filter.title}
        onChange={setNow}
      />
      <div className="p-row p-end">
        <button
          type="button"
          className="p-btn p-btn-s p-btn-primary"
          disabled={rows.length === 0 || !isSound}
          onClick={() => {
            onChange(JSON.stringify(now.conditions));
            onClose();
          }}
        >
          {t`Apply`}
        </button>
      </div>
    </div>
  );
}
