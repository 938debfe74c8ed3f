export const one = (id) => document.getElementById(id);

/// Makes an element; `members` are properties, `children` elements and texts.
export function element(name, members = {}, ...children) {
  const made = Object.assign(document.createElement(name), members);
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function button(label, onclick, className = "") {
  return element("button", { type: "button", className, onclick }, label);
}

/// Arrow keys go from tab to tab. `choose` may replace the tabs.
export function moveByArrows(list, choose) {
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = [...list.children].indexOf(document.activeElement);
    if (!step || at < 0) return;
    const next = (at + step + list.children.length) % list.children.length;
    choose(list.children[next]);
    list.children[next].focus();
  });
}

/// Requests a text in a dialog. `refusal(text)` says why it cannot be, or is empty. Resolves to null if the dialog is closed.
export function askText(title, given, refusal) {
  const dialog = one("name");
  const input = one("name-text");
  one("name-title").textContent = title;
  input.value = given;
  one("name-refusal").textContent = "";
  dialog.returnValue = "";
  dialog.showModal();
  input.select();
  return new Promise((resolve) => {
    one("name-ok").onclick = (event) => {
      event.preventDefault();
      const text = input.value.trim();
      one("name-refusal").textContent = refusal(text);
      if (one("name-refusal").textContent === "") dialog.close(text);
    };
    dialog.onclose = () => resolve(dialog.returnValue === "" ? null : dialog.returnValue);
  });
}
