import { type ReactNode, useEffect } from "react";

/** Title and actions of a page; the title is the document's too. */
export function PageHead({ title, children, note }: { title: string; children?: ReactNode; note?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Tidemark`;
  }, [title]);
  return (
    <div className="page-head">
      <div className="grow">
        <h1>{title}</h1>
        {note && <div className="quiet small">{note}</div>}
      </div>
      {children}
    </div>
  );
}
