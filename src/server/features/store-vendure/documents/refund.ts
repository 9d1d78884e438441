/** What was given back with us, by the plugin: once for its key. */
export const REFUND = /* GraphQL */ `
  mutation PerennialRefund($input: PerennialRefundInput!) {
    refundPerennialOrder(input: $input) {
      id
      total
    }
  }
`;
