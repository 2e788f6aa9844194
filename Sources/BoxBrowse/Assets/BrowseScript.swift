internal import BoxStoreTool

/// The script that improves the pages, which work without it: changes by apps, the count after the rows, completion,
/// keys, copying.
///
/// It writes texts by `textContent` alone, and moves only nodes of pages of the same server.
enum BrowseScript {
  static let text: HTMLText = #"""
    // Answers of the server as documents, and no markup of its own.
    const load = (address) => new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.responseType = "document";
      request.onload = () => request.status === 200 ? resolve(request.responseXML) : reject(request.status);
      request.onerror = reject;
      request.open("GET", address);
      request.send();
    });
    const make = (name, text, kind) => {
      const element = document.createElement(name);
      element.textContent = text;
      if (kind) element.className = kind;
      return element;
    };
    const { state, opening } = document.body.dataset;
    let shown = document.body.dataset.transaction;
    const rows = (page) => new Map([...page.querySelectorAll(".data tbody tr")].map(
      (row) => [row.cells[0]?.textContent ?? "", row]));

    // Changes by other programs: said, and shown when the reader asks for them.
    const pill = document.getElementById("live");
    let announced = shown;
    let news;
    // The rows that had changed when they were last read, and the transaction then; nothing after they were shown.
    let counted, since;
    const say = (text, ...nodes) => {
      if (!news) {
        news = make("p", "", "note live");
        news.setAttribute("role", "status");
        document.getElementById("main").prepend(news);
      }
      news.replaceChildren(make("span", text), ...nodes);
    };
    const changes = (page) => {
      const old = rows(document);
      return [...rows(page)].filter(([id, row]) => old.get(id)?.textContent !== row.textContent).map(([, row]) => row);
    };
    const parts = [".title", ".tools", "#rows"];
    // The parts of a page that depend on the question and the store; what is typed stays.
    const replace = (page) => {
      for (const part of parts) {
        const [before, after] = [document.querySelector(part), page.querySelector(part)];
        if (before && after) before.replaceWith(after);
      }
      shown = announced = page.body.dataset.transaction;
      if (pill) pill.textContent = `transaction ${shown}`;
      // The message is about older rows.
      news?.remove();
      news = counted = undefined;
      countRows();
      offerCopies();
    };
    const show = (page) => {
      const changed = changes(page);
      replace(page);
      for (const row of changed) {
        row.classList.add("changed");
        row.cells[0]?.append(make("small", " changed"));
      }
    };
    const isTyping = () => document.activeElement?.closest("input, textarea, select") != null;
    const announce = async (now) => {
      announced = now.transaction;
      const again = make("a", "read again");
      again.href = location.href;
      if (String(now.opening) !== opening) return say("The store was opened again.", again);
      const count = BigInt(now.transaction) - BigInt(shown);
      const written = `An app wrote ${count} transaction${count === 1n ? "" : "s"}`;
      if (!document.querySelector(".data")) return say(`${written}.`, again);
      const isLive = document.getElementById("stop") != null;
      // With live=1 rows are replaced, but not under the hands of who types.
      if (isLive && !isTyping()) return show(await load(location.href));
      // Once: a read each second would make the file of an app that writes without a break grow.
      if (counted == null) {
        counted = changes(await load(location.href)).length;
        since = announced;
      }
      const button = make("button", "show them");
      button.type = "button";
      button.onclick = async () => show(await load(location.href));
      const always = make("a", "always");
      const address = new URL(location.href);
      address.searchParams.set("live", "1");
      always.href = address.href;
      const later = since === announced ? "" : ", and more may have changed since";
      say(`${written}; ${counted} of these rows changed or are new${later}.`, button, ...(isLive ? [] : [always]));
    };
    const look = async () => {
      if (document.hidden) return;
      try {
        const answer = await fetch(state);
        if (!answer.ok) return say("The store cannot be read now.");
        const now = await answer.json();
        if (pill.classList.contains("wrong")) say("The server is there again.");
        pill.classList.remove("wrong");
        if (now.transaction !== announced || String(now.opening) !== opening) await announce(now);
      } catch {
        pill.classList.add("wrong");
        say("The server is gone. `boxjoint browse` starts it, and prints a new address.");
      }
    };
    if (state && pill) setInterval(look, 1000);

    // The count, after the rows are there.
    const countRows = () => {
      const count = document.getElementById("count");
      if (count) load(count.href).then((page) => {
        const title = page.querySelector(".title");
        if (title && count.isConnected) count.closest(".title").replaceWith(title);
      }, () => {});
    };

    // What may follow in the condition, and where it cannot be read.
    const help = (field) => {
      const form = field.closest("form");
      const list = make("ul", "", "complete");
      list.id = "complete";
      list.setAttribute("role", "listbox");
      list.setAttribute("aria-label", "What may follow");
      const problem = make("p", "", "problem");
      problem.id = "typed";
      problem.setAttribute("role", "status");
      const place = make("pre", "", "place");
      form.append(list, problem, place);
      for (const part of [list, problem, place]) part.hidden = true;
      field.setAttribute("role", "combobox");
      field.setAttribute("aria-autocomplete", "list");
      field.setAttribute("aria-controls", list.id);
      field.setAttribute("aria-expanded", "false");
      let entries = [];
      let from = 0;
      let chosen = 0;
      let asked = 0;
      let patience;
      const status = make("p", "", "hide");
      status.setAttribute("role", "status");
      form.append(status);
      // The rows of a condition that can be read, while it is typed; an address of them, too.
      let previewed = field.value;
      const preview = async (number) => {
        if (field.value === previewed) return;
        const address = new URL(form.action);
        address.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
        if (!document.getElementById("rows")) return;
        let page;
        try {
          page = await load(address.href);
        } catch {
          return;
        }
        if (number !== asked) return;
        previewed = field.value;
        replace(page);
        history.replaceState(null, "", address.href);
        status.textContent = document.querySelector(".pages .soft")?.textContent ?? "";
      };
      const close = () => {
        list.hidden = true;
        field.setAttribute("aria-expanded", "false");
        field.removeAttribute("aria-activedescendant");
      };
      const choose = (index) => {
        chosen = (index + entries.length) % entries.length;
        [...list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === chosen)));
        field.setAttribute("aria-activedescendant", list.children[chosen].id);
        list.children[chosen].scrollIntoView({ block: "nearest" });
      };
      const take = (index) => {
        const end = field.selectionStart;
        field.setRangeText(entries[index].insert, from, end, "end");
        close();
        ask(false);
      };
      const open = () => {
        list.replaceChildren(...entries.map((entry, index) => {
          const item = make("li", "");
          item.id = `complete${index}`;
          item.setAttribute("role", "option");
          const note = [entry.type, entry.note].filter(Boolean).join(" · ");
          item.append(make("b", entry.insert), " ", make("small", note));
          // The field keeps the focus.
          item.onmousedown = (event) => {
            event.preventDefault();
            take(index);
          };
          return item;
        }));
        list.style.left = `${field.offsetLeft}px`;
        list.style.top = `${field.offsetTop + field.offsetHeight + 2}px`;
        list.hidden = false;
        field.setAttribute("aria-expanded", "true");
        choose(0);
      };
      const show = (found) => {
        // The answer of the server about another text is out of date.
        for (const old of form.querySelectorAll("#problem, #problem + .place")) old.hidden = true;
        problem.hidden = !found;
        place.hidden = !found || found.part === undefined;
        field.toggleAttribute("aria-invalid", false);
        field.removeAttribute("aria-describedby");
        if (!found) return;
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-describedby", problem.id);
        problem.textContent = found.message;
        place.replaceChildren(found.before ?? "", make("mark", found.part ?? "", "err"), found.after ?? "");
      };
      const ask = async (completes) => {
        const number = ++asked;
        clearTimeout(patience);
        const [text, at] = [field.value, field.selectionStart];
        const query = new URLSearchParams({ text, at });
        let found;
        try {
          const answer = await fetch(`${field.dataset.complete}&${query}`);
          if (!answer.ok) return close();
          found = await answer.json();
        } catch {
          return close();
        }
        // Only the last question counts.
        if (number !== asked || document.activeElement !== field) return;
        ({ entries, from } = found);
        if (completes && entries.length > 0) open(); else close();
        // Half a word is an error that nobody needs to hear of; one that goes away is gone at once.
        if (!found.problem) show(null);
        patience = found.problem ? setTimeout(show, 700, found.problem) : setTimeout(preview, 700, number);
      };
      field.addEventListener("input", () => ask(true));
      field.addEventListener("blur", close);
      field.addEventListener("keydown", (event) => {
        if (event.ctrlKey && event.key === " ") {
          event.preventDefault();
          return ask(true);
        }
        if (list.hidden || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        const does = {
          Tab: () => take(chosen), Escape: close,
          ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen - 1),
        }[event.key];
        if (!does) return;
        event.preventDefault();
        does();
      });
    };
    const where = document.querySelector("[data-complete]");
    if (where) help(where);

    // Copying what a command says.
    const offerCopies = () => {
      for (const command of document.querySelectorAll("pre.command")) {
        if (command.nextElementSibling?.classList.contains("copy")) continue;
        const button = make("button", "Copy", "copy");
        button.type = "button";
        button.onclick = async () => {
          await navigator.clipboard.writeText(command.textContent);
          button.textContent = "Copied";
        };
        command.after(button);
      }
    };
    countRows();
    offerCopies();

    // Keys, which work where nothing is typed.
    const step = (by) => {
      const links = [...document.querySelectorAll(".data tbody th a")];
      const next = links[links.indexOf(document.activeElement) + by] ?? links[by > 0 ? 0 : links.length - 1];
      next?.focus();
    };
    const keys = {
      "/": () => document.getElementById("where")?.focus(),
      "g": () => document.getElementById("go")?.focus(),
      "[": () => document.querySelector("a[rel=prev]")?.click(),
      "]": () => document.querySelector("a[rel=next]")?.click(),
      "j": () => step(1),
      "k": () => step(-1),
      "Backspace": () => history.back(),
      "?": () => say("Keys: / condition (Ctrl-Space completes), g go to id, [ and ] pages, j and k rows, "
        + "Enter opens, Backspace back."),
    };
    document.addEventListener("keydown", (event) => {
      const isTyped = event.target.closest("input, textarea, select, [contenteditable]");
      if (isTyped || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
      event.preventDefault();
      keys[event.key]();
    });

    """#
}
