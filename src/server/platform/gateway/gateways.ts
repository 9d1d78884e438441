// All gateways behind one port: each charge goes to the one that it names.
import type { Answer, Charge, FullGateway, GatewayName, Refund, RefundAnswer } from './gateway.ts';

export class Gateways implements FullGateway {
  readonly #all: Readonly<Record<GatewayName, FullGateway>>;
  constructor(all: Readonly<Record<GatewayName, FullGateway>>) {
    this.#all = all;
  }
  keysLive(charge: Pick<Charge, 'gateway'>): number {
    return this.#all[charge.gateway].keysLive(charge);
  }
  charge(charge: Charge): Promise<Answer> {
    return this.#all[charge.gateway].charge(charge);
  }
  lookup(charge: Charge): Promise<Answer | null> {
    return this.#all[charge.gateway].lookup(charge);
  }
  refund(refund: Refund): Promise<RefundAnswer> {
    return this.#all[refund.gateway].refund(refund);
  }
  lookupRefund(refund: Refund): Promise<RefundAnswer | null> {
    return this.#all[refund.gateway].lookupRefund(refund);
  }
}
