// Points of customers as a simulated loyalty app keeps them: some for everybody, less what was redeemed. References make redeeming and
// giving back safe to repeat. In memory: a restart begins empty.

export const REWARDS = [
  { id: 'five-off', title: '$5 off', points: 100, type: 'fixed_amount', value: '5.00' },
  { id: 'ten-percent', title: '10% off', points: 200, type: 'percentage', value: '10' },
  { id: 'free-shipping', title: 'Free shipping', points: 150, type: 'free_shipping', value: null },
  { id: 'twenty-off', title: '$20 off', points: 900, type: 'fixed_amount', value: '20.00' },
];

export interface Answer {
  status: number;
  body: object;
}
interface Asked {
  app: string;
  method: string;
  path: string;
  body: string;
}

/** Between 120 and 719 points, by the letters of an address. */
const given = (email: string): number => 120 + ([...email].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_003, 7) % 600);

/** Answers requests about points; undefined for all others. */
export function startLoyalty(): (request: Asked, query: URLSearchParams) => Answer | undefined {
  /** reference -> what it took; 0 once it was given back. */
  const taken = new Map<string, { who: string; points: number }>();
  const pointsOf = (who: string, email: string): number =>
    given(email) - [...taken.values()].reduce((sum, one) => sum + (one.who === who ? one.points : 0), 0);
  return ({ app, method, path, body }, query) => {
    const what = /\/(points|rewards|redemptions|redemptions\/cancel)$/.exec(path)?.[1];
    if (!what) return undefined;
    if (method === 'GET') {
      const email = query.get('email') ?? '';
      return { status: 200, body: what === 'points' ? { points: pointsOf(`${app} ${email}`, email) } : { rewards: REWARDS } };
    }
    const { reference = '', email = '', rewardId = '' } = JSON.parse(body || '{}') as Record<string, string>;
    const who = `${app} ${email}`;
    const before = taken.get(reference);
    if (what === 'redemptions/cancel') {
      if (!before) return { status: 404, body: { error: 'unknown reference' } };
      before.points = 0;
      return { status: 200, body: { points: pointsOf(who, email) } };
    }
    const reward = REWARDS.find(one => one.id === rewardId);
    if (before) return { status: 201, body: { reference } };
    if (!reward) return { status: 404, body: { error: 'unknown reward' } };
    if (pointsOf(who, email) < reward.points) return { status: 402, body: { error: 'not enough points' } };
    taken.set(reference, { who, points: reward.points });
    return { status: 201, body: { reference } };
  };
}
