// Our form engine with a validator compiled ahead of time.
import '../../../src/admin/ui/theme/theme.css';
import { createRoot } from 'react-dom/client';
import validators from 'virtual:bench/ours';
import { SchemaForm } from '../../../src/admin/form/engine/schema-form.tsx';
import { data, measureMount, root, schema, size } from './harness.ts';

const { default: validator } = await validators[size]!();
void measureMount(() =>
  createRoot(root).render(
    <SchemaForm schema={schema} validator={validator} value={data} onSubmit={() => {}}>
      <button
        type="button"
        className="p-btn p-btn-primary"
        onClick={event => event.currentTarget.closest('.f-root')!.querySelector('form')!.requestSubmit()}
      >
        Save
      </button>
    </SchemaForm>,
  ),
);
