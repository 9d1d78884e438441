/** An order that was paid with us, by the plugin: Vendure makes it whole, and once for its key. */
export const PLACE_ORDER = /* GraphQL */ `
  mutation PerennialPlaceOrder($input: PerennialOrderInput!) {
    placePerennialOrder(input: $input) {
      id
      code
      totalWithTax
    }
  }
`;
