import { expect, test } from 'vitest';
import { makeMessageId, makeWebhookSecret, signedHeaders } from './signature.ts';

test('a message is signed as the specification’s own example', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };
  expect(signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', message)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('secrets and ids are new each time, and as long as the specification wants them', () => {
  const [secret, another] = [makeWebhookSecret(), makeWebhookSecret()];
  expect(secret).not.toBe(another);
  expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  expect(makeMessageId()).toMatch(/^msg_[\w-]{24}$/);
  expect(makeMessageId()).not.toBe(makeMessageId());
});
