/** A page of customers. */
export const CUSTOMERS = /* GraphQL */ `
  query PerennialCustomers($options: CustomerListOptions!) {
    customers(options: $options) {
      totalItems
      items {
        id
        emailAddress
        firstName
        lastName
        phoneNumber
        user {
          verified
        }
        addresses {
          defaultShippingAddress
          country {
            code
          }
        }
      }
    }
  }
`;
