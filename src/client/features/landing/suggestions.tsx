import classes from './suggestions.module.css';

/** What a visitor might ask, to be chosen by a click. */
export function Suggestions(props: { suggestions: string[]; onChoose: (text: string) => void }) {
  return (
    <div className={classes['suggestions']}>
      {props.suggestions.map((text) => (
        <button
          key={text}
          type="button"
          className={classes['suggestion']}
          onClick={() => props.onChoose(text)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
