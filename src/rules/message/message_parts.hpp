#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "text/document.hpp"

namespace bayplan::rules {

/// A program that prints messages, and where it gives details.
struct Speaker {
  std::string_view name;  ///< "CloudFormation"
  Pattern pattern;
  std::string_view look;
  bool is_process;  ///< Prints a log of its own work, as the ECS agent does, and not the answer to a request.
  bool is_tool;     ///< A client that its user updates.
};

/// A service of AWS whose answers reach a user of ECS.
struct Service {
  std::string_view name;  ///< "Amazon ECS"
  Pattern words;          ///< How messages name it: "AmazonECS", "ECS".
  std::vector<std::string_view> operations;
  std::string_view source;
};

/// An exception of an API model, an error code or an error name of the agent.
struct Exception {
  std::string_view name;  ///< "ClusterNotFoundException"
  std::string_view service;
  std::vector<std::string_view> operations;  ///< Those that return it; empty for many.
  bool is_generic = false;                   ///< The reason after it is what counts.
  bool is_shared = false;                    ///< Many services have one of this name, with meanings of their own.
  std::string_view cause;
  std::string_view fix;
};

/// A noun of messages: what does not exist, is in use, was refused.
struct Resource {
  std::string_view name;
  Pattern pattern;
  std::string_view look;   ///< Command or place that shows it.
  bool is_common = false;  ///< Any program has such a thing: alone, the word says nothing about AWS.
};

/// What the name of an exception says by its form, in words: "ops item not found".
struct NameForm {
  Pattern pattern;
  std::string_view cause;
  std::string_view fix;
};

/// A peer of a failed connection, by its host name or address.
struct Endpoint {
  Pattern pattern;
  std::string_view name;
  std::string_view fix;
};

/// Why something failed, recognized by its words.
struct Reason {
  std::string_view id;
  std::vector<Pattern> patterns;
  std::string_view cause;
  std::string_view fix;
  std::string_view source;
  bool is_general = false;  ///< It says only who gave up, or what failed: other words of the text may say why.
};

/// data/message-parts.json: the parts of messages and the meaning of each. Holds views of its own document.
struct MessageParts {
  static MessageParts load();

  std::unique_ptr<const text::Document> document;
  std::vector<Speaker> speakers;  ///< The first that fits counts.
  std::vector<Service> services;
  std::multimap<std::string, Exception> exceptions;  ///< By lowered name.
  std::vector<NameForm> name_forms;                  ///< Of exceptions that are not listed; the first that fits counts.
  std::vector<Resource> resources;                   ///< Longer names first.
  std::vector<Endpoint> endpoints;
  std::map<std::string_view, std::string_view> ports;  ///< "5432" -> "PostgreSQL"
  std::vector<Reason> reasons;                         ///< The first that fits counts: mechanisms of their own.
  std::vector<Reason> grammar;    ///< Then these: what is said of any resource, as "does not exist".
  std::vector<Reason> fallbacks;  ///< Last these: what could not be done, and why, in the words of the message.
};

}  // namespace bayplan::rules
