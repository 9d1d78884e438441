// Plain @rjsf/mui with validators compiled ahead of time by rjsf's own tool.
import { Form } from '@rjsf/mui';
import type { RJSFSchema } from '@rjsf/utils';
import createPrecompiledValidator from '@rjsf/validator-ajv8/lib/createPrecompiledValidator.js';
import { createRoot } from 'react-dom/client';
import validators from 'virtual:bench/mui';
import { data, isLive, measureMount, root, schema, size } from './harness.ts';

const { default: functions } = await validators[size]!();
const validator = createPrecompiledValidator(functions as never, schema as RJSFSchema);
void measureMount(() =>
  createRoot(root).render(
    <Form
      schema={schema as RJSFSchema}
      formData={data}
      validator={validator}
      liveValidate={isLive}
      noHtml5Validate
      showErrorList={false}
      onSubmit={() => {}}
    />,
  ),
);
