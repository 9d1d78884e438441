/** Asks a Vendure shop for orders, with everything that a subscription is made from. `readOrders` (read-orders.ts) reads the answer. */
export const ORDERS = /* GraphQL */ `
  query PerennialOrders($options: OrderListOptions!) {
    orders(options: $options) {
      totalItems
      items {
        id
        code
        state
        orderPlacedAt
        updatedAt
        currencyCode
        totalWithTax
        shippingWithTax
        customFields {
          perennialKey
        }
        customer {
          id
          emailAddress
          firstName
          lastName
          phoneNumber
          user {
            verified
          }
        }
        shippingAddress {
          fullName
          company
          streetLine1
          streetLine2
          city
          province
          postalCode
          countryCode
          phoneNumber
        }
        shippingLines {
          shippingMethod {
            name
          }
        }
        lines {
          quantity
          unitPriceWithTax
          proratedLinePriceWithTax
          productVariant {
            id
          }
          customFields {
            perennialPlan
            perennialWidget
          }
        }
        payments {
          id
          method
          state
          amount
          transactionId
          refunds {
            id
            state
            total
            reason
          }
        }
      }
    }
  }
`;
