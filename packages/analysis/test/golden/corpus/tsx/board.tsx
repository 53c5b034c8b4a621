import { useCallback, useState } from "react";

interface Card {
  readonly id: number;
  readonly title: string;
  readonly due?: Date;
  readonly done: boolean;
}

export function Badge({ count }: { count: number }) {
  return <span className={count > 9 ? "many" : "few"}>{count}</span>;
}

export function CardView({ card, onOpen }: { card: Card; onOpen?: (id: number) => void }) {
  return (
    <article onClick={() => onOpen?.(card.id)}>
      <h2>{card.title}</h2>
      {card.due && <time>{card.due.toISOString()}</time>}
      {card.done && card.due ? <b>done</b> : null}
    </article>
  );
}

export const List = ({ cards }: { cards: readonly Card[] }) => {
  if (cards.length === 0) return <p>Nothing to do.</p>;
  return (
    <ul>
      {cards.map((card) => (
        <li key={card.id}>{card.done ? <s>{card.title}</s> : card.title}</li>
      ))}
    </ul>
  );
};

export function Board({ cards = [], title }: { cards?: Card[]; title?: string }) {
  const [filter, setFilter] = useState("");
  const change = useCallback((text: string) => {
    if (text.length < 100) setFilter(text.trim());
  }, []);
  function isShown(card: Card): boolean {
    if (filter === "") return true;
    return card.title.includes(filter) || String(card.id) === filter;
  }
  return (
    <section>
      <h1>{title ?? "Board"}</h1>
      <input value={filter} onChange={(event) => change(event.target.value)} />
      <List cards={cards.filter(isShown)} />
      {filter !== "" && <Badge count={cards.filter(isShown).length} />}
    </section>
  );
}

export class Clock extends React.Component<{ zone?: string }> {
  state = { now: new Date() };

  tick = () => {
    if (document.hidden) return;
    this.setState({ now: new Date() });
  };

  render() {
    const { zone } = this.props;
    switch (zone) {
      case "utc":
        return <time>{this.state.now.toUTCString()}</time>;
      case undefined:
        return <time>{this.state.now.toString()}</time>;
      default:
        return <em>no such zone: {zone}</em>;
    }
  }
}

export default function Column<T extends Card>({ rows, pick }: { rows: T[]; pick: (row: T) => string }) {
  const cells: React.ReactNode[] = [];
  for (const row of rows) {
    cells.push(<td key={row.id}>{row.done && pick(row) !== "" ? pick(row) : <>-</>}</td>);
  }
  return <tr>{cells}</tr>;
}
