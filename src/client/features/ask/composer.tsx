import { ActionIcon, Button, Text, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { arrowUpIcon, playerStopIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import { limits } from '#shared/limits.ts';
import page from './ask-page.module.css';
import type { AskState, ChangeAsk } from './ask-state.ts';
import type { Askable } from './choose-collections.ts';
import { CollectionsPicker } from './collections-picker.tsx';
import classes from './composer.module.css';
import { type DraftPlace, setDraft, useDraft } from './drafts.ts';
import { ModelSelect } from './model-select.tsx';

interface ComposerProps {
  /** Where what is typed waits while the reader is elsewhere. */
  place: DraftPlace;
  askable: Askable;
  /** A conversation stays in its project. */
  isProjectFixed: boolean;
  messageCount: number;
  state: AskState;
  onChange: ChangeAsk;
  onAsk: (message: string) => void;
  /** Null: nothing is being answered. */
  onStop: (() => void) | null;
}

/** From here on it is said how much room is left. */
const countedFrom = limits.chatMessageCharactersMax - 500;

/** What is asked, of what, and by whom it is answered. */
export function Composer(props: ComposerProps) {
  if (props.messageCount + 2 > limits.conversationMessagesMax) return <FullConversation />;
  return <OpenComposer {...props} />;
}

function OpenComposer({ place, askable, state, onChange, onAsk, onStop, ...rest }: ComposerProps) {
  const text = useDraft(place);
  const field = useRef<HTMLTextAreaElement>(null);
  const models = trpc.chat.models.useQuery();
  const needs = models.data?.find(({ model }) => model === state.model)?.needs ?? null;
  const isWaiting = onStop !== null;
  const isReady = !isWaiting && needs === null && askable.chosen.length > 0 && text.trim() !== '';
  useFocusBack(field.current, isWaiting);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setDraft(place, '');
    onAsk(text.trim());
  };
  return (
    <div className={page['foot']}>
      <form className={classes['card']} onSubmit={submit} aria-label="Ask">
        {needs !== null && (
          <MissingSetting
            model={state.model}
            needs={needs}
            onUseOther={() => onChange({ model: 'vector-ai' }, { replace: true })}
          />
        )}
        <Textarea
          ref={field}
          variant="unstyled"
          autosize
          minRows={1}
          maxRows={8}
          dir="auto"
          classNames={{ input: classes['field'] ?? '' }}
          aria-label="Message"
          aria-keyshortcuts="/"
          placeholder={`Ask ${askedName(askable)}`}
          maxLength={limits.chatMessageCharactersMax}
          disabled={isWaiting}
          value={text}
          onChange={(event) => setDraft(place, event.currentTarget.value)}
          onKeyDown={sendOnEnter}
        />
        <div className={classes['bar']}>
          <CollectionsPicker askable={askable} onChange={onChange} isDisabled={isWaiting} {...rest} />
          <ModelSelect
            model={state.model}
            models={models.data ?? null}
            isDisabled={isWaiting}
            onChange={(model) => onChange({ model }, { replace: true })}
          />
          {text.length > countedFrom && (
            <Text size="xs" c="dimmed" role="status">
              {formatNumber(limits.chatMessageCharactersMax - text.length)} characters left
            </Text>
          )}
          <div className={classes['send']}>
            {onStop ? (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon shape={playerStopIcon} size={16} />}
                onClick={onStop}
              >
                Stop
              </Button>
            ) : (
              <ActionIcon
                type="submit"
                size={32}
                variant="filled"
                color="iris"
                radius="md"
                aria-label="Send"
                disabled={!isReady}
              >
                <Icon shape={arrowUpIcon} />
              </ActionIcon>
            )}
          </div>
        </div>
      </form>
      <p className={page['small']}>
        Enter sends, Shift+Enter begins a new line. Check what matters: every source is one click away.
      </p>
    </div>
  );
}

/** Not what ends a word that is being composed. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

function askedName({ chosen }: Askable): string {
  const [first, ...others] = chosen;
  if (!first) return 'a question';
  return others.length === 0 ? `about ${first.name}` : `about ${formatNumber(chosen.length)} collections`;
}

/** While it waits the field takes no focus; whoever did not go elsewhere meanwhile goes on typing. */
function useFocusBack(field: HTMLTextAreaElement | null, isWaiting: boolean): void {
  const hasWaited = useRef(false);
  useEffect(() => {
    const { activeElement } = document;
    // Where the focus goes whose control is gone: a suggestion, or Stop.
    const isNowhere = activeElement === document.body || activeElement?.matches('main h1');
    if (hasWaited.current && !isWaiting && isNowhere) field?.focus({ preventScroll: true });
    hasWaited.current = isWaiting;
  }, [field, isWaiting]);
}

function MissingSetting({
  model,
  needs,
  onUseOther,
}: {
  model: string;
  needs: string;
  onUseOther: () => void;
}) {
  return (
    <div className={classes['missing']} role="status">
      <Text size="sm">
        <strong>{model}</strong> is not set up: this server has no <code>{needs}</code>. Whoever runs it sets
        that in its environment and starts it again.
      </Text>
      <Button size="xs" variant="default" onClick={onUseOther}>
        Use vector-ai, which needs none
      </Button>
    </div>
  );
}

function FullConversation() {
  return (
    <div className={page['foot']}>
      <div className={classes['missing']} role="status">
        <Text size="sm">
          This conversation is full: it has {formatNumber(limits.conversationMessagesMax)} questions and
          answers.
        </Text>
        <ButtonLink to="/ask-vector" size="xs" variant="default">
          New conversation
        </ButtonLink>
      </div>
    </div>
  );
}
