import { identifierOf } from "./identifiers";

/** Hands a file to the browser's downloads. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** A name of a file made from one that people gave; another where nothing of it is left. */
export function fileNameOf(name: string, otherwise: string): string {
  return identifierOf(name) || otherwise;
}

/** The text of a file that people chose. */
export function textOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("The file cannot be read."));
    reader.readAsText(file);
  });
}
