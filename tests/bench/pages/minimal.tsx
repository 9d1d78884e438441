// The floor for our list page: what react-admin gives with the least code, over the same thousand subscriptions.
import { createRoot } from 'react-dom/client';
import { Admin, DataTable, DateInput, Edit, List, NumberInput, Resource, SelectInput, SimpleForm, TextInput } from 'react-admin';
import simpleRest from 'ra-data-simple-rest';

const statuses = ['ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED', 'FAILED'].map(id => ({ id, name: id }));
const Subscriptions = () => (
  <List perPage={25} filters={[<SelectInput key="status" source="status" choices={statuses} alwaysOn />]}>
    <DataTable>
      <DataTable.Col source="id" />
      <DataTable.Col source="customerName" />
      <DataTable.Col source="customerEmail" />
      <DataTable.Col source="status" />
      <DataTable.Col source="products" />
      <DataTable.Col source="frequency" />
      <DataTable.NumberCol source="total" />
      <DataTable.Col source="nextBillingDate" />
    </DataTable>
  </List>
);
const Subscription = () => (
  <Edit>
    <SimpleForm>
      <TextInput source="customerName" />
      <TextInput source="customerEmail" />
      <SelectInput source="status" choices={statuses} />
      <TextInput source="products" />
      <TextInput source="frequency" />
      <NumberInput source="total" />
      <DateInput source="nextBillingDate" />
    </SimpleForm>
  </Edit>
);
// The total stands in a header of its own: browsers take a Content-Range on a compressed answer for a broken one.
createRoot(document.getElementById('root')!).render(
  <Admin dataProvider={simpleRest('/api', undefined, 'X-Total-Count')} disableTelemetry>
    <Resource name="subscriptions" list={Subscriptions} edit={Subscription} />
  </Admin>,
);
