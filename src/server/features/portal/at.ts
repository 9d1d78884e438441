/** The address of a page of the portal, relative to the one that is shown. Who comes is known without it. */
export { queryOf as at } from '../../platform/http/form-fields.ts';
