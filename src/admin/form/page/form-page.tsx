// A screen that is a form: with a key in its address it changes that record, without one it makes a new one.
import type { Resource } from '../../../contract/types.ts';
import { CreatePage } from './create-page.tsx';
import { EditPage } from './edit-page.tsx';

export default function FormPage({ resource, params }: { resource: Resource; params: Record<string, string> }) {
  const isEdit = /\[\w+\](\/edit)?$/.test(resource.route);
  return isEdit ? (
    <EditPage key={JSON.stringify(params)} resource={resource} params={params} />
  ) : (
    <CreatePage key={resource.route} resource={resource} params={params} />
  );
}
