import { expect, it } from 'vitest';
import { RestError } from './rest-error.ts';

it.each([
  [404, 'Not Found', '{"message":"No such collection"}', '404: {"message":"No such collection"}'],
  [502, 'Bad Gateway', '', '502: Bad Gateway'],
])(
  'the message of %i %s with the body %j is its status and its body, else its words',
  (status, words, body, message) => {
    expect(new RestError(status, words, body).message).toBe(message);
  },
);
