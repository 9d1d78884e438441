// All gateways behind one port: each charge goes to the one that it names.
import type { Answer, Charge, Gateway, GatewayName } from './gateway.ts';

export class Gateways implements Gateway {
  readonly #all: Readonly<Record<GatewayName, Gateway>>;
  constructor(all: Readonly<Record<GatewayName, Gateway>>) {
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
}
