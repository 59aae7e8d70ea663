import { Button } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";

/** Copies a text and says that it did. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      variant="default"
      size="compact-xs"
      leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), 2000);
        });
      }}
    >
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </Button>
  );
}

/** A text to copy, as it is. Lines that are too long scroll, or go on below when they are `wrapped`. */
export function Code({ text, label, wrapped = false }: { text: string; label: string; wrapped?: boolean }) {
  return (
    <div className="code">
      <pre className={wrapped ? "wrapped" : undefined} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <span className="copy">
        <CopyButton text={text} />
      </span>
    </div>
  );
}
