# Tests by Glassbox in a CMake project:
#
#   list(APPEND CMAKE_MODULE_PATH "/usr/share/glassbox/cmake")
#   include(Glassbox)
#   add_library(shapes STATIC triangle.c circle.c)
#   glassbox_add_tests(shapes CRITERION mcdc CHECK)
#
# glassbox_add_tests(<target>
#   [CRITERION <criterion>...]   criteria, default: branch
#   [FUNCTIONS <function>...]    only these functions
#   [SOURCES <file>...]          these files instead of the C files of the target
#   [OUT <folder>]               default: glassbox/<target> in the build folder
#   [OPTIONS <option>...]        further options of `glassbox gen`
#   [CHECK]                      also run `glassbox check`: a test that fails for violations
#   [STRICT])                    goals that are not decided fail the build, too
#
# It makes, for every C file,
#   * a target `glassbox-<target>` that generates the tests again when a source, or the command, changes,
#   * a test of CTest `glassbox.<target>.<file>` that builds and runs them,
#   * with CHECK a test `glassbox-check.<target>.<file>`.
# Files are analyzed with the include folders, definitions and options that the target is compiled with.

include_guard(GLOBAL)
cmake_minimum_required(VERSION 3.19)

find_program(GLASSBOX_EXECUTABLE glassbox DOC "The command glassbox")
find_program(GLASSBOX_MAKE NAMES make gmake DOC "Builds and runs generated tests")
set(_GLASSBOX_RUN "${CMAKE_CURRENT_LIST_DIR}/GlassboxRun.cmake")

function(glassbox_add_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CHECK;STRICT" "OUT" "CRITERION;FUNCTIONS;SOURCES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    list(JOIN arg_UNPARSED_ARGUMENTS " " unknown)
    message(FATAL_ERROR "glassbox_add_tests: unknown arguments: ${unknown}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "glassbox_add_tests: there is no target ${target}")
  endif()
  if(NOT GLASSBOX_EXECUTABLE)
    message(FATAL_ERROR "glassbox_add_tests: glassbox was not found; set GLASSBOX_EXECUTABLE")
  endif()
  if(NOT GLASSBOX_MAKE)
    message(FATAL_ERROR "glassbox_add_tests: make was not found; set GLASSBOX_MAKE")
  endif()
  if(NOT arg_OUT)
    set(arg_OUT "${CMAKE_CURRENT_BINARY_DIR}/glassbox/${target}")
  endif()

  set(sources ${arg_SOURCES})
  if(NOT sources)
    get_target_property(all ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    foreach(source IN LISTS all)
      if(source MATCHES "\\.c$")
        get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${folder}")
        list(APPEND sources "${source}")
      endif()
    endforeach()
  endif()
  if(NOT sources)
    message(FATAL_ERROR "glassbox_add_tests: ${target} has no C files")
  endif()

  set(options ${arg_OPTIONS})
  foreach(function IN LISTS arg_FUNCTIONS)
    list(APPEND options --function "${function}")
  endforeach()
  set(criteria "")
  foreach(criterion IN LISTS arg_CRITERION)
    list(APPEND criteria --criterion "${criterion}")
  endforeach()
  # As the compiler gets it; empty where the target has none.
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(flags
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
  set(accepted "0,1")
  if(arg_STRICT)
    set(accepted "0")
  endif()

  set(made "")
  foreach(source IN LISTS sources)
    get_filename_component(source "${source}" ABSOLUTE)
    get_filename_component(name "${source}" NAME_WE)
    set(out "${arg_OUT}/${name}")
    set(run ${CMAKE_COMMAND} "-DACCEPTED=${accepted}" -P "${_GLASSBOX_RUN}" --)
    add_custom_command(
      OUTPUT "${out}/suite.json"
      COMMAND ${run} "${GLASSBOX_EXECUTABLE}" gen "${source}" --cc "${CMAKE_C_COMPILER}" --out "${out}" ${criteria} ${options} -- "${flags}"
      DEPENDS "${source}" "${GLASSBOX_EXECUTABLE}"
      IMPLICIT_DEPENDS C "${source}"
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
      COMMENT "Generating tests for ${name}.c"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND made "${out}/suite.json")
    add_test(NAME "glassbox.${target}.${name}" COMMAND "${GLASSBOX_MAKE}" --no-print-directory -C "${out}/tests")
    if(arg_CHECK)
      add_test(
        NAME "glassbox-check.${target}.${name}"
        COMMAND ${run} "${GLASSBOX_EXECUTABLE}" check "${source}" --cc "${CMAKE_C_COMPILER}" --out "${out}/check" ${options} -- "${flags}"
        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
        COMMAND_EXPAND_LISTS)
    endif()
  endforeach()
  add_custom_target("glassbox-${target}" ALL DEPENDS ${made})
endfunction()
