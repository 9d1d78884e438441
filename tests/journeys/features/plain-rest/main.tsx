// A react-admin application as its documentation has it, with ra-data-simple-rest: all of it stock but what signs in and what brings errors
// of fields into its forms.
import { createRoot } from 'react-dom/client';
import {
  Admin,
  Create,
  DataTable,
  Edit,
  fetchUtils,
  HttpError,
  List,
  ReferenceField,
  ReferenceInput,
  Resource,
  SearchInput,
  SelectInput,
  SimpleForm,
  TextInput,
} from 'react-admin';
import simpleRest from 'ra-data-simple-rest';

const http = (url: string, options: fetchUtils.Options = {}) =>
  fetchUtils
    .fetchJson(url, { ...options, user: { authenticated: true, token: localStorage.getItem('perennial.token') ?? '' } })
    .catch(error => {
      if (!(error instanceof HttpError) || !Array.isArray(error.body?.errors)) throw error;
      const errors = (error.body.errors as { pointer: string; message: string }[]).map(({ pointer, message }) => [
        pointer.slice(1),
        message,
      ]);
      throw new HttpError(error.message, error.status, { ...error.body, errors: Object.fromEntries(errors) });
    });

const ratings = [
  { id: 'GOOD', name: 'Good' },
  { id: 'POOR', name: 'Poor' },
];
const Suppliers = () => (
  <List
    perPage={10}
    filters={[<SearchInput key="q" source="q" alwaysOn />, <SelectInput key="rating" source="rating" choices={ratings} alwaysOn />]}
  >
    <DataTable>
      <DataTable.Col source="name" />
      <DataTable.Col source="email" disableSort />
      <DataTable.Col source="rating" disableSort />
      <DataTable.Col source="standIn" disableSort>
        <ReferenceField source="standIn" reference="suppliers" empty="–" />
      </DataTable.Col>
    </DataTable>
  </List>
);
const fields = (
  <SimpleForm>
    <TextInput source="name" />
    <TextInput source="email" />
    <SelectInput source="rating" choices={ratings} />
    <ReferenceInput source="standIn" reference="suppliers" />
  </SimpleForm>
);
createRoot(document.getElementById('root')!).render(
  <Admin dataProvider={simpleRest('/rest', http)} disableTelemetry>
    <Resource
      name="suppliers"
      recordRepresentation="name"
      list={Suppliers}
      create={<Create redirect="list">{fields}</Create>}
      edit={<Edit mutationMode="pessimistic">{fields}</Edit>}
    />
  </Admin>,
);
