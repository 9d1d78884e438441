// Creating a subscription by hand, for a customer that is known or made on the way.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { invalid, Refusal, type Context, type Handler } from '../../platform/context.ts';
import { contractView, createContract, engineOf, type NewContract } from '../../engine/index.ts';
import { create as createCustomer } from '../customers/calls/customers-app.ts';
import { t } from '../../../domain/text/t.ts';

export type ByHand = NewContract & {
  isNewCustomer?: boolean;
  newCustomer?: { email: string; firstName?: string; lastName: string; phone?: string };
};

/**
 * Creates the contract, and before it the customer where one is given. A new customer has no payment method on
 * the first day: then they are asked for one.
 */
export async function createByHand(
  context: Context,
  { isNewCustomer = false, newCustomer, ...input }: ByHand,
): ReturnType<typeof createContract> {
  if (!isNewCustomer) {
    if (input.customerId === undefined && input.customerShopifyId === undefined)
      throw invalid([{ pointer: '/customerId', rule: 'required', message: t`Choose a customer, or enter a new one.` }]);
    return createContract(engineOf(context), input);
  }
  try {
    const made = (await createCustomer(context, { variables: { ...newCustomer } })) as JsonObject;
    return await createContract(engineOf(context), { ...input, customerId: Number(made.id), paymentMethodId: null });
  } catch (error) {
    if (error instanceof Refusal && error.errors)
      throw new Refusal(
        error.status,
        error.code,
        error.message,
        error.errors.map(one => ({ ...one, pointer: one.pointer.replace(/^\/variables/, '/newCustomer') })),
      );
    throw error;
  }
}

export const create: Handler = async (context: Context, input: ByHand): Promise<JsonValue> => {
  const made = await createByHand(context, input);
  const view: JsonObject = await contractView(engineOf(context), made.subscription.contract.id, made);
  await context.log({
    action: 'subscription.created',
    category: 'Subscriptions',
    description: `Subscription #${made.subscription.contract.id} of ${made.subscription.contract.customer_name} created`,
    entity: 'subscription',
    entityId: made.subscription.contract.id,
    after: view,
  });
  return view;
};
